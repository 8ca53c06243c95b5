import type { ReactNode } from 'react'
import type { Pagination } from '#app/domain/page.ts'
import { figures } from '#app/domain/text/figures.ts'
import { Link } from '#app/ui/link.tsx'
import { useSearchLink } from './search.ts'

const count = (value: number) => figures(value)

/** "21-40 of 1,204", and links to the pages beside this one that keep the other search parameters. */
export function Pager({ pagination }: { pagination: Pagination }) {
  const { current_page, total_pages, total } = pagination
  if (total === 0) return null
  return (
    <nav className="pager" aria-label="Pages">
      <p className="pager-range">{current_page > total_pages ? null : rangeOf(pagination)}</p>
      {total_pages > 1 ? (
        <ul className="pager-links">
          <li>
            <PageLink
              page={Math.max(1, Math.min(current_page - 1, total_pages))}
              enabled={current_page > 1}
              rel="prev"
            >
              Previous
            </PageLink>
          </li>
          {pagesAround(current_page, total_pages).map((page, index, all) => (
            <li
              key={page}
              data-gap={index > 0 && page - (all[index - 1] ?? 0) > 1 ? '' : undefined}
              className="pager-number"
            >
              <PageLink page={page} enabled current={page === current_page}>
                <span className="hidden-words">Page </span>
                {count(page)}
              </PageLink>
            </li>
          ))}
          <li>
            <PageLink
              page={Math.min(current_page + 1, total_pages)}
              enabled={current_page < total_pages}
              rel="next"
            >
              Next
            </PageLink>
          </li>
        </ul>
      ) : null}
    </nav>
  )
}

export function rangeOf({
  current_page,
  per_page,
  total,
  total_pages,
  is_capped,
  ...said
}: Pagination): string {
  // Another server may give only the number of pages.
  if ('is_uncounted' in said) return `Page ${count(current_page)} of ${count(total_pages)}`
  const first = (current_page - 1) * per_page + 1
  const last = Math.min(current_page * per_page, total)
  const range = first === last ? count(first) : `${count(first)}-${count(last)}`
  return `${range} of ${count(total)}${is_capped ? '+' : ''}`
}

type PageLinkProps = { page: number; enabled: boolean; current?: boolean; rel?: string; children: ReactNode }

/** Disabled links stay, as the focus may be on them. */
function PageLink({ page, enabled, current = false, rel, children }: PageLinkProps) {
  const link = useSearchLink()
  return (
    <Link
      className="pager-link"
      to={link({ page: page === 1 ? null : String(page) })}
      aria-disabled={enabled ? undefined : true}
      tabIndex={enabled ? undefined : -1}
      rel={rel}
      aria-current={current ? 'page' : undefined}
    >
      {children}
    </Link>
  )
}

/** The first, the last, and those beside the current one. */
export function pagesAround(current: number, total: number): number[] {
  const wanted = [1, current - 1, current, current + 1, total]
  return [...new Set(wanted)].filter((page) => page >= 1 && page <= total).sort((a, b) => a - b)
}
