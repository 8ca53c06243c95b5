/** Logging out asks first, over the current page, to which Cancel returns. */
import { useLocation, useMatches, useSearchParams } from '@remix-run/react'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { Icon } from '#app/ui/icons.tsx'
import { Link } from '#app/ui/link.tsx'
import { useSearchLink } from '#app/ui/list/search.ts'

const ASKED = 'log_out'
/** Removes other questions from the URL: only one is asked at a time. */
const NO_OTHER = { ask: null, delete: null }

export function LogOutLink({ className }: { className: string }) {
  const link = useSearchLink()
  return (
    <Link
      className={className}
      to={link({ [ASKED]: 'true', ...NO_OTHER })}
      prefetch="none"
      preventScrollReset
    >
      <Icon name="leave" />
      <span>Log out</span>
    </Link>
  )
}

export const LOG_OUT_QUESTION = 'Are you sure you want to log out?'

/** Whether the question is shown; only on pages with the frame, which most get from a layout. */
export function useAsksToLogOut(): boolean {
  const [search] = useSearchParams()
  const isFramed = useMatches().some(({ data }) => {
    const { user, frame } = (data ?? {}) as { user?: object; frame?: object }
    return user ?? frame
  })
  return isFramed && search.get(ASKED) === 'true'
}

export function LogOutQuestion() {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const link = useSearchLink()
  if (search.get(ASKED) !== 'true') return null
  const rest = link({ [ASKED]: null })
  return (
    <ConfirmDialog
      title={LOG_OUT_QUESTION}
      continueText="Yes, log out"
      cancelHref={rest === '?' ? pathname : rest}
      action="/logout"
      reloadDocument
    />
  )
}
