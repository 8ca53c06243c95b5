/** A link within the site. The server renders a hundred per page, so it skips the work that only a browser needs. */
import { Link as BrowserLink, useLocation } from '@remix-run/react'
import { type ComponentProps, forwardRef } from 'react'

type LinkProps = Omit<ComponentProps<typeof BrowserLink>, 'ref'>

/** Prefetches its page when the visitor seems to want it. */
const ReadyLink = forwardRef<HTMLAnchorElement, LinkProps>((props, ref) => (
  <BrowserLink prefetch={prefetchOf(props)} {...props} ref={ref} />
))

export const Link = typeof document === 'undefined' ? (WrittenLink as typeof BrowserLink) : ReadyLink

/**
 * Pages with side effects or high costs, never prefetched: opening a lift is recorded, a sign-in continues, figures
 * are expensive.
 */
const ACTS = /^\/(lift\/\d+|login|logout|auth|analytics)\b/

/** Document navigations and other targets do not use the prefetched data. */
export const prefetchOf = ({ to, reloadDocument, target }: LinkProps) =>
  reloadDocument || target || (typeof to === 'string' && ACTS.test(to)) ? 'none' : 'intent'

/** An absolute path, or the same page with another search: independent of the route of the link. */
const PLAIN = /^(\/(?!\/)[^?#]*)?([?#][^?#].*)?$/s

/** The same markup as the client component, so that hydration accepts it. */
function WrittenLink(props: LinkProps) {
  const { pathname } = useLocation()
  const { to, target, reloadDocument } = props
  if (typeof to !== 'string' || to === '' || !PLAIN.test(to)) return <BrowserLink {...props} />
  return (
    <a
      {...attributesOf(props)}
      data-discover={reloadDocument ? undefined : 'true'}
      href={to.startsWith('/') ? to : `${pathname}${to}`}
      target={target}
    />
  )
}

function attributesOf({
  to,
  target,
  prefetch,
  discover,
  relative,
  replace,
  state,
  preventScrollReset,
  reloadDocument,
  viewTransition,
  ...attributes
}: LinkProps) {
  return attributes
}
