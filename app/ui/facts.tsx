import type { ReactNode } from 'react'

/** A list of names and values. */
export function Facts({ facts }: { facts: Record<string, ReactNode> }) {
  return (
    <dl className="facts panel">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || <span className="nothing">–</span>}</dd>
        </div>
      ))}
    </dl>
  )
}
