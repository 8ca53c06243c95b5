/** Maps field errors of the API to a form with other field names. */
export async function mapFieldErrors(
  error: unknown,
  names: Readonly<Record<string, string>>,
): Promise<unknown> {
  if (!(error instanceof Response) || ![409, 422].includes(error.status)) return error
  const { status } = error
  const body = (await error.json()) as { detail: string | Record<string, string[]> }
  if (typeof body.detail === 'string') return Response.json(body, { status })
  const detail = Object.fromEntries(
    Object.entries(body.detail).map(([name, why]) => [names[name] ?? name, why]),
  )
  return Response.json({ ...body, detail }, { status })
}
