/** A role or a status as shown on screen. */
export function inWords(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
