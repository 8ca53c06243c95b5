/** Numbers with letters are refused: dropping letters would be guessing. Kept apart to be small enough for the browser. */
export const hasLetters = (typed: string): boolean => /\p{L}/u.test(typed)
export const NO_LETTERS = 'Please enter a valid phone number: digits, without letters'
