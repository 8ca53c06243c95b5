/** The few pages the provider shows by itself. They need neither styles nor scripts. */

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

function page(title: string, ...paragraphs: string[]): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title></head>
<body><main><h1>${escapeHtml(title)}</h1>
${paragraphs.join('\n')}
</main></body>
</html>`
}

export const errorPage = (description: string) =>
  page(
    'This sign-in cannot go on',
    `<p>The request was not understood: ${escapeHtml(description)}.</p>`,
    '<p>Nothing was changed. <a href="/login">Start again</a></p>',
  )

export const failurePage = () =>
  page(
    'There was an error, please try again later.',
    '<p>It is not your doing. <a href="/login">Start again</a></p>',
  )

/** `form` comes from the provider; the buttons belong to it by its id. */
export const logoutPage = (form: string) =>
  page(
    'Are you sure you want to log out?',
    form,
    `<p><button type="submit" form="op.logoutForm" name="logout" value="yes">Yes, log out</button>
<button type="submit" form="op.logoutForm">Cancel</button></p>`,
  )

export const loggedOutPage = () => page('Logged out', '<p><a href="/login">Sign in again</a></p>')
