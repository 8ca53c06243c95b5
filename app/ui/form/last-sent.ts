/** What was typed into the form that a script sent last: where no answer comes, its page is gone. */
import type { KeptWord } from './kept-words.tsx'

let words: readonly KeptWord[] = []

export const lastSent = () => words

export function noteSent(form: HTMLFormElement): void {
  words = form.method === 'post' ? [...form.elements].flatMap(typedIn) : []
}

export function forgetSent(): void {
  words = []
}

const TYPED = 'textarea, input:is([type="text"], [type="email"], [type="tel"], [type="url"])'

function typedIn(field: Element): KeptWord[] {
  if (!field.matches(TYPED)) return []
  const { name, value } = field as HTMLInputElement
  return name && value.trim() ? [{ name, text: value }] : []
}
