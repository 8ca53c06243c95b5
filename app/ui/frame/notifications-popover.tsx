/**
 * The bell: a `<details>` that works without scripts; with JavaScript, closing it marks its notifications as read.
 */
import { useLocation, useRevalidator } from '@remix-run/react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import type { Told } from '#app/domain/notifications/notification.ts'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Form, SCOPE, useMark } from '#app/ui/form/scoped-form.tsx'
import { Icon } from '#app/ui/icons.tsx'
import { Link } from '#app/ui/link.tsx'
import { changeNotifications, NotificationList } from '#app/ui/notification-list.tsx'
import { useMore } from './use-more.ts'

const MAX_COUNTED = 99

export function NotificationsPopover({ told }: { told: Told }) {
  const { pathname, search, key } = useLocation()
  const { revalidate } = useRevalidator()
  const { shown, isLoading, isMissing, view } = useMore(told, key)
  const [read, setRead] = useState<Told | null>(null)
  // Notifications that arrive later are unread.
  const isRead = read === told
  const { notifications, next } = shown
  const unread = isRead ? 0 : told.unread
  const newest = notifications[0]?.created_on ?? ''
  const box = useClosing(key)

  const mark = useMark()
  async function toggled() {
    if (box.current?.open || unread === 0) return
    setRead(told)
    const form = new FormData()
    form.set('intent', 'read_all')
    form.set('newest', newest)
    if (mark) form.set(SCOPE, mark)
    if (await changeNotifications(form)) return revalidate()
    setRead(null)
  }

  function viewMore(event: MouseEvent) {
    event.preventDefault()
    if (next) view(next)
  }

  return (
    <details className="popover" ref={box} onToggle={toggled}>
      <Bell unread={unread} isCapped={told.is_capped} />
      <section className="popover-sheet" aria-label="Notifications">
        <Head from={`${pathname}${search}`} unread={unread} newest={newest} />
        <NotificationList
          notifications={isRead ? notifications.map((one) => ({ ...one, has_read: true })) : notifications}
        />
        <p className="notification-failed" role="alert">
          {isMissing ? 'More could not be loaded. Please try again.' : null}
        </p>
        {next ? (
          <Link className="popover-more" to={`/notifications?page=${next}`} onClick={viewMore}>
            {isLoading ? 'Loading...' : 'View More'}
          </Link>
        ) : null}
      </section>
    </details>
  )
}

/** Closes it on a new page, on Escape, and on a press outside: `<details>` does none of these by itself. */
function useClosing(page: string) {
  const box = useRef<HTMLDetailsElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has its key
  useEffect(() => {
    if (box.current) box.current.open = false
  }, [page])

  useEffect(() => {
    const close = (event: Event) => {
      const details = box.current
      if (!details?.open) return
      if (event instanceof KeyboardEvent ? event.key !== 'Escape' : details.contains(event.target as Node))
        return
      details.open = false
      if (event instanceof KeyboardEvent) details.querySelector('summary')?.focus()
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('keydown', close)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('keydown', close)
    }
  }, [])
  return box
}

function Bell({ unread, isCapped }: { unread: number; isCapped: boolean }) {
  const count = `${Math.min(unread, MAX_COUNTED)}${isCapped || unread > MAX_COUNTED ? '+' : ''}`
  return (
    <summary className="icon-button">
      <Icon name="bell" />
      {unread > 0 ? (
        <span className="unread-count" aria-hidden="true">
          {count}
        </span>
      ) : null}
      <span className="hidden-words">Notifications{unread > 0 ? `, ${count} not read yet` : ''}</span>
    </summary>
  )
}

function Head({ from, unread, newest }: { from: string; unread: number; newest: string }) {
  return (
    <div className="popover-head">
      <p className="popover-title">Notifications</p>
      {unread > 0 ? (
        <Form method="post" action="/notifications">
          <input type="hidden" name="from" value={from} />
          <input type="hidden" name="newest" value={newest} />
          <SubmitButton intent="read_all" variant="ghost">
            Mark all as read
          </SubmitButton>
        </Form>
      ) : null}
    </div>
  )
}
