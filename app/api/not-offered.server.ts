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

/** What is there, or what stands for it where the server does not have it. */
export async function ifOffered<Answer, Otherwise>(asking: Promise<Answer>, otherwise: Otherwise) {
  try {
    return await asking
  } catch (error) {
    if (isNotOffered(error)) return otherwise
    throw error
  }
}
