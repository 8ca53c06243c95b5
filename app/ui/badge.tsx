import type { ReactNode } from 'react'

const COLORS = { neutral: 'gray', accent: 'iris', success: 'green', warning: 'amber', danger: 'red' } as const

export type Tone = keyof typeof COLORS

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className="rt-reset rt-Badge rt-r-size-1 rt-variant-soft" data-accent-color={COLORS[tone]}>
      {children}
    </span>
  )
}
