/** A link to a page of ours. A server writes some hundred a page, without what only a browser does with them. */
import { Link as BrowserLink, useLocation } from '@remix-run/react'
import { type ComponentProps, forwardRef } from 'react'

type LinkProps = Omit<ComponentProps<typeof BrowserLink>, 'ref'>

/** Loads its page as soon as somebody seems to want it. */
const ReadyLink = forwardRef<HTMLAnchorElement, LinkProps>((props, ref) => (
  <BrowserLink prefetch={prefetchOf(props)} {...props} ref={ref} />
))

export const Link = typeof document === 'undefined' ? (WrittenLink as typeof BrowserLink) : ReadyLink

/** What only a look at it would do: a lift counts as opened, a sign-in goes on, figures are dear. */
const ACTS = /^\/(lift\/\d+|login|logout|auth|analytics)\b/

/** What the browser opens as a whole finds nothing of it. */
export const prefetchOf = ({ to, reloadDocument, target }: LinkProps) =>
  reloadDocument || target || (typeof to === 'string' && ACTS.test(to)) ? 'none' : 'intent'

/** From the root, or the same page with another search: whatever route it stands in. */
const PLAIN = /^(\/(?!\/)[^?#]*)?([?#][^?#].*)?$/s

/** The same as the browser makes of it, which takes the page over as it is. */
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
