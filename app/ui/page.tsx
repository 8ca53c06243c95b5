import type { ReactNode } from 'react'

type PageProps = {
  title: ReactNode
  /** One line that says what this page is for. */
  lead?: ReactNode
  /** The page's one primary action, and secondary ones beside it. */
  action?: ReactNode
  /** For pages to read or fill in, not to scan. */
  narrow?: boolean
  children: ReactNode
}

export function Page({ title, lead, action, narrow = false, children }: PageProps) {
  return (
    <div className={narrow ? 'page page-narrow' : 'page'}>
      <header className="page-head">
        <div className="page-words">
          <h1 className="page-title" dir="auto">
            {title}
          </h1>
          {lead ? (
            <p className="page-lead" dir="auto">
              {lead}
            </p>
          ) : null}
        </div>
        {action ? <div className="page-actions">{action}</div> : null}
      </header>
      {children}
    </div>
  )
}
