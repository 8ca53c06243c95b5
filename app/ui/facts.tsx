import type { ReactNode } from 'react'

/** What is known about a thing, name by name. */
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
