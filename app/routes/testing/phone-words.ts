/** Keywords with a special meaning for carriers and by law. */
export const PHONE_WORDS = ['STOP', 'START', 'HELP'] as const
