/** The consent of a number's owner, folded from its events, oldest first. */

export const CONSENT_ACTIONS = ['opt_in', 'opt_out', 'import', 'invalid', 'reassigned'] as const
export type ConsentAction = (typeof CONSENT_ACTIONS)[number]
export type NumberState = 'unknown' | 'opted_in' | 'opted_out' | 'invalid' | 'reassigned'

/** An import does not express the person's will, so it never changes a known state. */
export function foldConsent(actions: readonly ConsentAction[]): NumberState {
  let state: NumberState = 'unknown'
  for (const action of actions) {
    if (action === 'opt_in') state = 'opted_in'
    else if (action === 'opt_out') state = 'opted_out'
    else if (action !== 'import') state = action
  }
  return state
}
