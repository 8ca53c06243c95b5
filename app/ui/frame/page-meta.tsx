/** The meta tags of the page; if its form was refused, the title begins with "Error", with and without scripts. */
import { Meta } from '@remix-run/react'
import { Children, type ReactElement, useContext } from 'react'
// The only access to the action data of any route.
import { UNSAFE_DataRouterStateContext as RouterState } from 'react-router-dom'
import { errorTitle } from './error-title.ts'

export function PageMeta() {
  const answers = Object.values(useContext(RouterState)?.actionData ?? {})
  const drawn = Meta()
  return answers.some(isRefusal) ? Children.map(drawn.props.children, asRefused) : drawn
}

/** A refusal in Conform's format, or in that of pages with their own messages. */
const isRefusal = (answer: { status?: string; problem?: string; errors?: object } | null): unknown =>
  answer?.status === 'error' || answer?.problem || answer?.errors

const asRefused = (one: ReactElement<{ children: string }>) =>
  one.type === 'title' ? <title>{errorTitle(one.props.children)}</title> : one
