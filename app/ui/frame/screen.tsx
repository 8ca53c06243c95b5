/** The layout of error pages. */
import type { ReactNode } from 'react'

export function Screen({
  title,
  hint,
  children,
}: {
  title: string
  hint?: string | undefined
  children: ReactNode
}) {
  return (
    <div className="error-screen">
      <h1 className="page-title">{title}</h1>
      {hint ? <p className="page-lead">{hint}</p> : null}
      <div className="error-actions">{children}</div>
    </div>
  )
}
