/** What carriers and laws give a meaning of its own. */
export const PHONE_WORDS = ['STOP', 'START', 'HELP'] as const
