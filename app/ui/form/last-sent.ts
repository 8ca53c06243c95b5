/** Keeps the input of the form that a script sent last, because its page is replaced by an error if no answer comes. */
import type { KeptWord } from './kept-words.tsx'

let words: readonly KeptWord[] = []

export const lastSent = () => words

const TYPED = ':read-write:not([type=password])'

/** Without a form: the last one has been answered. */
export function noteSent(form?: HTMLFormElement): void {
  const typed = form?.querySelectorAll<HTMLInputElement>(TYPED) ?? []
  words = Array.from(typed, ({ name, value: text }) => ({ name, text })).filter(({ text }) => text)
}
