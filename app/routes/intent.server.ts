/** Which of a form's buttons was pressed. An unknown intent is refused, so that no action is the default. */
import { data } from '@remix-run/node'

/** Null: sent without an intent, by a button that has none. */
export function intentOf<const Name extends string>(form: FormData, names: readonly Name[]): Name | null {
  const sent = form.getAll('intent')
  if (sent.length === 0) return null
  const intent = names.find((name) => name === sent[0])
  if (intent === undefined || sent.length > 1) throw noSuchButton(String(sent[0]))
  return intent
}

/** For pages on which every button has an intent. */
export function requireIntent<const Name extends string>(form: FormData, names: readonly Name[]): Name {
  const intent = intentOf(form, names)
  if (intent === null) throw noSuchButton('')
  return intent
}

const noSuchButton = (intent: string) =>
  data({ detail: `This form has no button “${intent.slice(0, 60)}”.` }, { status: 400 })
