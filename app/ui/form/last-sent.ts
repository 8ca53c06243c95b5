/** What was typed into the form that a script sent last: where no answer comes, its page is gone. */
import type { KeptWord } from './kept-words.tsx'

let words: readonly KeptWord[] = []

export const lastSent = () => words

const TYPED = ':read-write:not([type=password])'

/** None: it has been answered. */
export function noteSent(form?: HTMLFormElement): void {
  const typed = form?.querySelectorAll<HTMLInputElement>(TYPED) ?? []
  words = Array.from(typed, ({ name, value: text }) => ({ name, text })).filter(({ text }) => text)
}
