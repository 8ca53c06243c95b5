import type { ReactNode } from 'react'
import type { Pagination } from '#app/domain/page.ts'
import { figures } from '#app/domain/text/figures.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { useSearchLink } from './search.ts'

type NoRowsProps = {
  /** Null for a list without pages. */
  pagination: Pagination | null
  title?: string
  hint: ReactNode
  action?: ReactNode
}

/** Shown instead of rows. Beyond the last page it says so, and links back. */
export function NoRows({ pagination, title = 'No results', hint, action }: NoRowsProps) {
  const link = useSearchLink()
  if (!pagination || pagination.total === 0) return <Empty title={title} hint={hint} action={action} />
  const { total, total_pages, is_capped } = pagination
  const all = figures(total)
  return (
    <Empty
      title="No results"
      hint={
        is_capped
          ? `Pages go as far as the first ${all}. Search or filter to find the others.`
          : `There’s nothing on this page. Total: ${all}.`
      }
      action={
        <ButtonLink to={link({ page: total_pages === 1 ? null : String(total_pages) })} variant="soft">
          Last page
        </ButtonLink>
      }
    />
  )
}
