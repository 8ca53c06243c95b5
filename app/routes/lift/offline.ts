/** An answer that never left: said in its form, which keeps everything. */

const WHY =
  'There is no connection, so nothing was sent. What you typed is still here: send it again in a while.'

/** As a failed answer of the server: after one, nothing else of the page is asked for. */
export const offline = () => Response.json({ errors: { form: [WHY] } }, { status: 503 })
