/** Calls are answered before any page (`web/calls.server.ts`), except in front of another server, where there is no API. */
const absent = () =>
  Response.json({ has_error: true, status: 404, detail: 'There is no API at this address.' }, { status: 404 })

export const loader = absent
export const action = absent
