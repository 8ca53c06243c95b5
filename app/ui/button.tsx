import { Button } from '@radix-ui/themes'
import type { ReactNode } from 'react'
import { Link } from '#app/ui/link.tsx'

type ButtonLinkProps = {
  to: string
  variant?: 'solid' | 'soft' | 'surface' | 'outline' | 'ghost'
  color?: 'iris' | 'gray' | 'red'
  size?: '1' | '2' | '3'
  /** Off for addresses that change something when opened, or that are not pages of ours. */
  prefetch?: 'intent' | 'none'
  /** The browser itself goes there: files. */
  reloadDocument?: boolean
  /** For the same page with more on it. */
  preventScrollReset?: boolean
  children: ReactNode
}

/** A link that looks like a button: for going somewhere, never for doing something. */
export function ButtonLink({
  to,
  variant = 'solid',
  color,
  size = '2',
  prefetch = 'intent',
  reloadDocument = false,
  preventScrollReset = false,
  children,
}: ButtonLinkProps) {
  return (
    <Button asChild variant={variant} size={size} {...(color ? { color } : {})}>
      <Link
        to={to}
        prefetch={prefetch}
        reloadDocument={reloadDocument}
        preventScrollReset={preventScrollReset}
      >
        {children}
      </Link>
    </Button>
  )
}
