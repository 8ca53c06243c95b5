/** Letters are no part of a number, nor of one to be guessed: they are refused, never dropped. Small enough for the browser. */
export const hasLetters = (typed: string): boolean => /\p{L}/u.test(typed)
export const NO_LETTERS = 'Please enter a valid phone number: digits, without letters'
