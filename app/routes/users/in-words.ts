/** A role or a status as it stands on the screen. */
export function inWords(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
