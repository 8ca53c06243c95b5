/** The few pages the provider shows itself. They need neither styles nor scripts. */
import { html, raw } from 'hono/html'

function page(title: string, ...paragraphs: ReturnType<typeof html>[]): string {
  return String(html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head>
<body><main><h1>${title}</h1>
${paragraphs}
</main></body>
</html>`)
}

export const errorPage = (description: string) =>
  page(
    'This sign-in cannot go on',
    html`<p>The request was not understood: ${description}.</p>`,
    html`<p>Nothing was changed. <a href="/login">Start again</a></p>`,
  )

export const failurePage = () =>
  page(
    'There was an error, please try again later.',
    html`<p>It is not your doing. <a href="/login">Start again</a></p>`,
  )

/** `form` is oidc-provider's; the buttons belong to it by its id. */
export const logoutPage = (form: string) =>
  page(
    'Are you sure you want to log out?',
    raw(form),
    html`<p><button type="submit" form="op.logoutForm" name="logout" value="yes">Yes, log out</button>
<button type="submit" form="op.logoutForm">Cancel</button></p>`,
  )

export const loggedOutPage = () => page('Logged out', html`<p><a href="/login">Sign in again</a></p>`)
