/** The screens shown instead of a page that failed. */
import { isRouteErrorResponse, useLocation, useRouteError, useRouteLoaderData } from '@remix-run/react'
import { type ReactNode, useEffect, useState } from 'react'
import { ButtonLink } from '#app/ui/button.tsx'
import { isKeptForm } from '#app/ui/form/kept-form.tsx'
import { areKeptWords, type KeptWords, KeptWordsFields } from '#app/ui/form/kept-words.tsx'
import { lastSent, noteSent } from '#app/ui/form/last-sent.ts'
import { Bare } from './bare.tsx'
import { KeptFormScreen } from './kept-form-screen.tsx'
import { reportError } from './report-errors.ts'
import { says } from './says.ts'
import { Screen } from './screen.tsx'

export const NOT_ACCEPTED = 'This could not be accepted'
export const HAS_CHANGED = 'This has changed'

const COPY = 'What you wrote is below, so that you can copy it.'
const HOME = <ButtonLink to="/">Go back home</ButtonLink>

type RouteErrorScreenProps = { notFound?: ReactNode }

/** The error boundary of root and layouts, with a screen for each kind of error. */
export function RouteErrorScreen({ notFound = <NotFoundScreen /> }: RouteErrorScreenProps) {
  const error = useRouteError()
  if (!isRouteErrorResponse(error)) return <RenderErrorScreen error={error} />
  const detail = detailOf(error.data)
  if (areKeptWords(error.data)) return <KeptWordsScreen {...error.data} />
  if (says(error.data, 'not_offered')) return <NotOfferedScreen />
  if (error.status === 404) return notFound
  if (isKeptForm(error.data)) return <KeptFormScreen {...error.data} />
  if (error.status === 403) return <NoPermissionScreen detail={sentenceOf(error.data)} />
  if (says(error.data, 'has_changed'))
    return (
      <Screen title={HAS_CHANGED} hint={detail}>
        {onwardOf(error.data)}
      </Screen>
    )
  if (NOT_TAKEN.includes(error.status))
    return (
      <Screen title={NOT_ACCEPTED} hint={`${detail ?? 'It cannot be read.'} Nothing was saved.`}>
        {HOME}
        <Retry />
        <SentWords />
      </Screen>
    )
  return <ErrorScreen hint={PASSES.includes(error.status) ? sentenceOf(error.data) : undefined} />
}

/** The same without a frame. */
export function BareError(props: RouteErrorScreenProps) {
  return (
    <Bare>
      <RouteErrorScreen {...props} />
    </Bare>
  )
}

type ErrorScreenProps = {
  hint?: string | undefined
  /** The URL to retry; by default the current one. */
  retry?: string | undefined
}

export function ErrorScreen({ hint, retry }: ErrorScreenProps) {
  return (
    <Screen title="There was an error, please try again later." hint={hint}>
      {HOME}
      <Retry to={retry} />
      <SentWords />
    </Screen>
  )
}

/** `isCut`: the address is one of messages, without its end. */
export function NotFoundScreen({ isCut = false }: { isCut?: boolean }) {
  const hint = isCut
    ? 'This link doesn’t work. A part of it may be missing: open it in your message again.'
    : 'This page doesn’t exist, or you don’t have access.'
  return (
    <Screen title="Not Found" hint={hint}>
      {HOME}
    </Screen>
  )
}

/** In front of another server that does not have these calls. */
function NotOfferedScreen() {
  return (
    <Screen title="Not available here" hint="The server behind these pages does not offer this.">
      {HOME}
    </Screen>
  )
}

export function NoPermissionScreen({ detail }: { detail?: string | undefined }) {
  return (
    <Screen title="No permission" hint={detail ?? 'You do not have permission to see this page.'}>
      {HOME}
    </Screen>
  )
}

/** Statuses for requests that are not, or not readable as, one of our forms. */
const NOT_TAKEN = [400, 413, 415]
/** Statuses that pass by themselves; the screen says what is busy or away. */
const PASSES = [429, 503]

/** A link to what has replaced the changed thing; otherwise home. */
function onwardOf(refusal: object) {
  const { next } = refusal as { next?: { to: string; words: string } | null }
  return next ? <ButtonLink to={next.to}>{next.words}</ButtonLink> : HOME
}

function KeptWordsScreen(refusal: KeptWords) {
  const { detail, kept_words } = refusal
  const hasWords = kept_words.length > 0
  return (
    <Screen title={NOT_ACCEPTED} hint={`${detail} Nothing was saved.${hasWords ? ` ${COPY}` : ''}`}>
      <KeptWordsFields kept_words={kept_words} />
      {onwardOf(refusal)}
    </Screen>
  )
}

/** An error of our own. The details are for a report; production shows only the id in the log. */
function RenderErrorScreen({ error }: { error: unknown }) {
  const words = error instanceof Error ? error.message : 'Unknown error'
  useEffect(() => reportError('render', error), [error])
  const root = useRouteLoaderData<{ request_id: string }>('root')
  const why = globalThis.navigator?.onLine === false ? 'There is no connection' : 'There was an error'
  return (
    <Screen title="Something went wrong!" hint={`${why}, please try again later.`}>
      <ButtonLink to="/" reloadDocument>
        Go back home
      </ButtonLink>
      <Retry />
      <details className="error-details">
        <summary>
          <span className="when-closed">Show Error</span>
          <span className="when-open">Hide Error</span>
        </summary>
        <pre>{words}</pre>
        {root ? <p>Request {root.request_id}</p> : null}
      </details>
      <SentWords />
    </Screen>
  )
}

/** The text fields of a form that a script sent when its page failed. */
function SentWords() {
  const [sent] = useState(lastSent)
  useEffect(() => noteSent(), [])
  if (sent.length === 0) return null
  return (
    <>
      <p className="field">{COPY}</p>
      <KeptWordsFields kept_words={sent} />
    </>
  )
}

/** Reloads the same page from the server. */
function Retry({ to }: { to?: string | undefined }) {
  const { pathname, search } = useLocation()
  return (
    <ButtonLink to={to ?? `${pathname}${search}`} reloadDocument variant="soft" color="gray">
      Retry
    </ButtonLink>
  )
}

/** Why it was refused, or what is not responding. */
const sentenceOf = (data: unknown): string | undefined => (typeof data === 'string' ? data : detailOf(data))

function detailOf(data: unknown): string | undefined {
  return says(data, 'detail') && typeof data.detail === 'string' ? data.detail : undefined
}
