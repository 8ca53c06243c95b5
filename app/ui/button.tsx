/** Buttons, and links that look like them: plain elements with Radix's own classes. */
import type { ComponentProps, ReactNode } from 'react'
import { Link } from '#app/ui/link.tsx'

type Look = {
  variant?: 'solid' | 'soft' | 'surface' | 'outline' | 'ghost' | undefined
  color?: 'iris' | 'gray' | 'red' | undefined
  size?: '1' | '2' | '3' | '4' | undefined
}

const looking = ({ variant = 'solid', size = '2', color }: Look) => ({
  className: `rt-reset rt-BaseButton rt-Button rt-r-size-${size} rt-variant-${variant}`,
  'data-accent-color': color,
})

type ButtonProps = Look & Omit<ComponentProps<'button'>, 'color' | 'className'>

/** For actions. */
export function Button({ variant, color, size, ...attributes }: ButtonProps) {
  return (
    <button
      {...attributes}
      {...looking({ variant, color, size })}
      data-disabled={attributes.disabled || attributes['aria-disabled'] || undefined}
    />
  )
}

type ButtonLinkProps = Look & {
  to: string
  /** A document navigation, for files. */
  reloadDocument?: boolean
  /** Keeps the scroll position, for the same page with more content. */
  preventScrollReset?: boolean
  children: ReactNode
}

/** For navigation, never for actions. */
export function ButtonLink({ variant, color, size, ...link }: ButtonLinkProps) {
  return <Link {...looking({ variant, color, size })} {...link} />
}
