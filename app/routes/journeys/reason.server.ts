/** Why the API refused, in a sentence or some; everything else is not ours to explain. */
export async function reason(error: unknown): Promise<string> {
  if (!(error instanceof Response) || (error.status !== 422 && error.status !== 409)) throw error
  const { detail } = (await error.json()) as { detail: string | Record<string, string[]> }
  return typeof detail === 'string' ? detail : Object.values(detail).flat().join(' ')
}
