/** A call that the server behind the screens does not have: its part of a page is left out. */
const MARK = 'x-not-offered'
const WORDS = 'The server behind these pages does not offer this.'

export const notOffered = (): Response =>
  Response.json(
    { has_error: true, status: 404, detail: WORDS, not_offered: true },
    { status: 404, headers: { [MARK]: 'true' } },
  )

export const isNotOffered = (error: unknown): error is Response =>
  error instanceof Response && error.headers.has(MARK)

/** The answer, or `otherwise` where the other server does not offer the call. */
export async function ifOffered<Answer, Otherwise>(asking: Promise<Answer>, otherwise: Otherwise) {
  try {
    return await asking
  } catch (error) {
    if (isNotOffered(error)) return otherwise
    throw error
  }
}
