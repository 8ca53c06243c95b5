/** After a double press, the toast of the second request also reports what the first did. */
import type { ActionFunctionArgs } from '@remix-run/node'

export const saidOnce = <Toast extends object>({ context }: ActionFunctionArgs, toast: Toast): Toast =>
  context.found.has('is_replayed') ? { ...toast, message: 'You pressed twice. It was done once.' } : toast
