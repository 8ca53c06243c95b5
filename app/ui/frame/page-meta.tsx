/** What the page says of itself; where its form was refused, its title says that first, with and without scripts. */
import { Meta } from '@remix-run/react'
import { Children, type ReactElement, useContext } from 'react'
// The only way to what the action of whichever page answered.
import { UNSAFE_DataRouterStateContext as RouterState } from 'react-router-dom'
import { errorTitle } from './error-title.ts'

export function PageMeta() {
  const answers = Object.values(useContext(RouterState)?.actionData ?? {})
  const drawn = Meta()
  return answers.some(isRefusal) ? Children.map(drawn.props.children, asRefused) : drawn
}

/** As Conform writes it, and as pages do that refuse in words of their own. */
const isRefusal = (answer: { status?: string; problem?: string; errors?: object } | null): unknown =>
  answer?.status === 'error' || answer?.problem || answer?.errors

const asRefused = (one: ReactElement<{ children: string }>) =>
  one.type === 'title' ? <title>{errorTitle(one.props.children)}</title> : one
