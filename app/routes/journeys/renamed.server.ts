/** A refusal of the API at the fields of a form that calls them otherwise. */
export async function renamed(error: unknown, names: Readonly<Record<string, string>>): Promise<unknown> {
  if (!(error instanceof Response) || ![409, 422].includes(error.status)) return error
  const { status } = error
  const body = (await error.json()) as { detail: string | Record<string, string[]> }
  if (typeof body.detail === 'string') return Response.json(body, { status })
  const detail = Object.fromEntries(
    Object.entries(body.detail).map(([name, why]) => [names[name] ?? name, why]),
  )
  return Response.json({ ...body, detail }, { status })
}
