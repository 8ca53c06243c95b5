/** Detects two questions in one: readers could not tell which of them an answer is to. */
const ASKS =
  '(?:what|when|why|who|whom|whose|where|which|how|do|does|did|is|are|was|were|can|could|will|would|should)'
const TWO = new RegExp(`\\b${ASKS}\\b[^?]*\\b(?:and|or|but)\\s+${ASKS}\\b[^?]*\\?`, 'i')

export const asksTwice = (text: string): boolean => (text.match(/\?/g) ?? []).length > 1 || TWO.test(text)

export const twoInOne = (text: string): string => `“${text}” looks like two questions in one.`
