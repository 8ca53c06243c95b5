/** Tables and inline styles for Outlook, a style sheet for phones and dark mode; colors are Radix iris and slate. */
import { html, raw } from 'hono/html'
import type { Letter, Letterhead, Words } from '#app/integrations/carrier.ts'

type Html = ReturnType<typeof html>

export const LOGO_ID = 'logo@liftwell'
export type Look = {
  subject: string
  letter: Letter
  letterhead: Letterhead
  logo?: string
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const STYLES = `
  body { margin: 0; padding: 0; width: 100%; -webkit-text-size-adjust: 100%; }
  a { color: #5753c6; }
  @media (max-width: 620px) { .card { padding: 24px 20px !important; } .sheet { padding: 12px !important; } }
  @media (prefers-color-scheme: dark) {
    body, .sheet { background: #111113 !important; }
    .card { background: #1c1d21 !important; border-color: #32343a !important; }
    .company, .words { color: #edeef0 !important; }
    .quiet { color: #b0b4ba !important; }
    .words a, .quiet a { color: #b1a9ff !important; }
    .logo { background: #ffffff !important; }
  }`

export function mailHtml({ subject, letter, letterhead, logo = `cid:${LOGO_ID}` }: Look): string {
  const { words, button, note, why, unsubscribe } = letter
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${raw(STYLES)}</style>
</head>
<body style="margin:0;padding:0;background:#f0f0f3">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f0f0f3" style="background:#f0f0f3;padding:32px 16px"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:left;word-break:break-word">
<tr><td style="padding:0 4px 16px">${head(letterhead, logo)}</td></tr>
<tr><td class="card" bgcolor="#ffffff" style="background:#ffffff;border:1px solid #e0e1e6;border-radius:12px;padding:32px">
<div class="words" style="${FONT};font-size:16px;line-height:24px;color:#1c2024">
${paragraphs(words)}
</div>
${button && buttonOf(button)}
${note && html`<p class="quiet" style="${FONT};font-size:14px;line-height:20px;color:#60646c;margin:16px 0 0">${drawn(note)}</p>`}
</td></tr>
<tr><td class="quiet" style="${FONT};font-size:13px;line-height:20px;color:#60646c;padding:16px 4px 0">
${drawn(why)}${unsubscribe && html`<br><a href="${unsubscribe}" style="color:#5753c6">Stop these e-mails</a>`}
</td></tr>
</table>
</td></tr></table>
</body>
</html>`)
}

/** A mail as it will look, for showing in a page: with its logo, and with the dark style sheet applied if asked. */
export function previewHtml(mail: Omit<Look, 'logo'>, look: 'light' | 'dark'): string {
  const { logo } = mail.letterhead
  const source = logo ? `data:${logo.content_type};base64,${logo.bytes.toString('base64')}` : ''
  const whole = mailHtml({ ...mail, logo: source })
  const wanted = '@media (prefers-color-scheme: dark)'
  return whole.replace(wanted, look === 'dark' ? '@media all' : '@media not all')
}

const head = ({ company, logo }: Letterhead, source: string): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>${
    logo &&
    html`<td style="padding-right:12px"><img class="logo" src="${source}" alt="" height="40" style="display:block;height:40px;width:auto;max-width:160px;border:0;border-radius:6px"></td>`
  }<td class="company" style="${FONT};font-size:17px;line-height:24px;font-weight:600;color:#1c2024">${company}</td></tr></table>`

const buttonOf = ({ label, url }: NonNullable<Letter['button']>): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin-top:24px"><tr><td bgcolor="#5b5bd6" style="background:#5b5bd6;border-radius:8px;mso-padding-alt:14px 24px"><a href="${url}" style="display:inline-block;padding:14px 24px;${FONT};font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none">${label}</a></td></tr></table>`

const paragraphs = (words: Words): Html[] =>
  String(drawn(words))
    .trim()
    .split(/\n{2,}/)
    .map(
      (lines, index) =>
        html`<p style="margin:${index === 0 ? '0' : '16px 0 0'}">${raw(lines.replaceAll('\n', '<br>'))}</p>`,
    )

const anchor = (url: string, label: string): Html => html`<a href="${url}">${label}</a>`

const drawn = (words: Words): Html =>
  html`${[words].flat().flatMap((part) => (typeof part === 'string' ? linked(part) : [anchor(part.url, part.label)]))}`

/** Punctuation at the end of a sentence does not belong to the URL before it. */
const LINK = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g

function linked(text: string): Html[] {
  const parts: Html[] = []
  let end = 0
  for (const { 0: link, index } of text.matchAll(LINK)) {
    parts.push(html`${text.slice(end, index)}`, anchor(link, link))
    end = index + link.length
  }
  return [...parts, html`${text.slice(end)}`]
}
