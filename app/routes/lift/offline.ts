/** The error for an answer that could not be sent: shown in its form, which keeps all input. */

const WHY =
  'There is no connection, so nothing was sent. What you typed is still here: send it again in a while.'

/** Like a failed response of the server, after which nothing else of the page is reloaded. */
export const offline = () => Response.json({ errors: { form: [WHY] } }, { status: 503 })
