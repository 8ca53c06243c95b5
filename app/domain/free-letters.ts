/** Ids for new options: letters that no other option has. Answers are stored by option id. */
export function freeLetters(ids: Iterable<string>): string[] {
  const taken = new Set(ids)
  return [...'abcdefghijklmnopqrst'].filter((letter) => !taken.has(letter))
}
