/** One question: how many answered, and with what. */
import type { PromptFigures } from '#app/domain/analytics/figures.ts'
import { percent } from '#app/domain/analytics/rate.ts'
import { type Column, DataTable } from '#app/ui/table.tsx'

type Option = PromptFigures['options'][number] & { answered: number }

const COLUMNS: readonly Column<Option>[] = [
  { key: 'text', label: 'Answer', render: ({ text, correct }) => (correct ? `${text} (right)` : text) },
  { key: 'count', label: 'Learners', align: 'end' },
  {
    key: 'share',
    label: 'Of those who answered',
    align: 'end',
    render: ({ count, answered }) => percent({ n: count, d: answered }),
  },
]

export function PromptReport({ prompt }: { prompt: PromptFigures }) {
  const { n, d } = prompt.response
  const rows = prompt.options.map((option) => ({ ...option, answered: n }))
  return (
    <section className="report-prompt" aria-labelledby={`prompt-${prompt.prompt_id}`}>
      <h2 id={`prompt-${prompt.prompt_id}`}>{prompt.text}</h2>
      <p>
        Answered {n} of {d}
      </p>
      {rows.length > 0 ? <DataTable caption={prompt.text} columns={COLUMNS} rows={rows} rowKey="id" /> : null}
    </section>
  )
}
