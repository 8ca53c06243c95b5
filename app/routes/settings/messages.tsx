import { data, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listMessageKinds, previewMessage } from '#app/api/contract/message-previews.ts'
import { may } from '#app/domain/access/permissions.ts'
import type { MessageKind, MessagePreview } from '#app/domain/previews/preview.ts'
import { noPermission, requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Facts } from '#app/ui/facts.tsx'
import { Link } from '#app/ui/link.tsx'
import { Page } from '#app/ui/page.tsx'
import stylesheet from './messages.css?url'

export const meta: MetaFunction = () => [{ title: 'Message previews · Liftwell' }]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

const WIDTHS = { desktop: 'Desktop', phone: 'Phone' } as const
const LOOKS = { light: 'Light', dark: 'Dark' } as const
type Search = { kind: string; look: keyof typeof LOOKS; width: keyof typeof WIDTHS }

export async function loader(args: LoaderFunctionArgs) {
  const { api, actor } = await requireDashboard(args)
  if (!may(actor, 'company:view')) throw noPermission('These previews are for administrators.')
  const { data: kinds } = await api(listMessageKinds)
  const query = new URL(args.request.url).searchParams
  const search: Search = {
    kind: query.get('kind') ?? kinds[0]?.id ?? '',
    look: query.get('look') === 'dark' ? 'dark' : 'light',
    width: query.get('width') === 'phone' ? 'phone' : 'desktop',
  }
  if (!kinds.some(({ id }) => id === search.kind)) throw data('Not Found', { status: 404 })
  const preview = await api(previewMessage, { kind: search.kind }, { look: search.look })
  // The embedded document inherits this page's policy for styles, so it needs its nonce.
  const html = preview.html?.replace('<style>', `<style nonce="${args.context.nonce}">`) ?? null
  return { kinds, search, preview: { ...preview, html } }
}

export default function PreviewMessages() {
  const { kinds, search, preview } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Message previews"
      lead="Every e-mail and text that people get, with examples for names. Nothing is sent from here."
      action={
        <ButtonLink to="/settings/company" variant="soft" color="gray">
          Company settings
        </ButtonLink>
      }
    >
      <div className="previews">
        <nav aria-label="Kinds of messages">
          <Kinds title="E-mails" channel="email" kinds={kinds} search={search} />
          <Kinds title="Texts" channel="sms" kinds={kinds} search={search} />
        </nav>
        <section aria-labelledby="preview">
          <h2 id="preview">{preview.title}</h2>
          <p>{preview.when}</p>
          {preview.html === null ? <Text preview={preview} /> : <Mail preview={preview} search={search} />}
        </section>
      </div>
    </Page>
  )
}

const addressOf = (search: Search): string => `/settings/messages?${new URLSearchParams(search)}`

function Kinds({
  title,
  channel,
  kinds,
  search,
}: {
  title: string
  channel: MessageKind['channel']
  kinds: readonly MessageKind[]
  search: Search
}) {
  return (
    <>
      <h2>{title}</h2>
      <ul className="preview-kinds">
        {kinds
          .filter((kind) => kind.channel === channel)
          .map(({ id, title }) => (
            <Choice key={id} to={{ ...search, kind: id }} isChosen={id === search.kind} label={title} />
          ))}
      </ul>
    </>
  )
}

/** Each choice loads a new document: the styles in the frame have the nonce of the document around it. */
const Choice = ({ to, isChosen, label }: { to: Search; isChosen: boolean; label: string }) => (
  <li>
    <Link to={addressOf(to)} reloadDocument aria-current={isChosen ? 'true' : undefined}>
      {label}
    </Link>
  </li>
)

function Mail({ preview, search }: { preview: MessagePreview; search: Search }) {
  const { title, from, subject, html, text } = preview
  return (
    <>
      <Facts facts={{ From: from, Subject: subject }} />
      <ul className="preview-looks" aria-label="Look">
        {(Object.keys(LOOKS) as Search['look'][]).map((look) => (
          <Choice key={look} to={{ ...search, look }} isChosen={look === search.look} label={LOOKS[look]} />
        ))}
        {(Object.keys(WIDTHS) as Search['width'][]).map((width) => (
          <Choice
            key={width}
            to={{ ...search, width }}
            isChosen={width === search.width}
            label={WIDTHS[width]}
          />
        ))}
      </ul>
      <iframe
        className="preview-frame"
        data-width={search.width}
        title={`The e-mail “${title}”`}
        sandbox=""
        srcDoc={html ?? ''}
      />
      <h3>Plain text</h3>
      <p>Mail programs without HTML show this part.</p>
      <pre className="preview-text">{text}</pre>
    </>
  )
}

function Text({ preview: { text, segments } }: { preview: MessagePreview }) {
  return (
    <>
      <pre className="preview-text">{text}</pre>
      <p>{segments === 1 ? 'Sent as 1 text.' : `Sent as ${segments} texts.`}</p>
    </>
  )
}
