/** Calls are answered before any page (`web/calls.server.ts`), but in front of another server: there is no API here. */
const absent = () =>
  Response.json({ has_error: true, status: 404, detail: 'There is no API at this address.' }, { status: 404 })

export const loader = absent
export const action = absent
