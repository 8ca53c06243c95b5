/** Why the API refused, as one sentence. */
export async function sayWhy(error: unknown): Promise<string> {
  if (!(error instanceof Response)) throw error
  return wordsOf(error)
}

export async function wordsOf(refusal: Response): Promise<string> {
  const { detail } = (await refusal.json()) as { detail: string | Record<string, string[]> }
  return typeof detail === 'string' ? detail : Object.values(detail).flat().join(' ')
}
