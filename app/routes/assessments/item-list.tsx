/** The items of an assessment, in order. */
import { useParams } from '@remix-run/react'

import { type Assessment, ITEM_KINDS } from '#app/domain/assessments/assessment.ts'
import { ITEM_NAMES } from '#app/domain/assessments/item-form.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Link } from '#app/ui/link.tsx'
import { editorOf } from './address.ts'

export function ItemList({ assessment: { id, items, lock_version, submitted } }: { assessment: Assessment }) {
  const editor = editorOf(useParams(), id)
  const itemOf = (item: number | string) => `${editor}/items/${item}`
  const mayEdit = submitted === 0
  return (
    <section className="stack section-apart" aria-labelledby="items">
      <h2 id="items">Items</h2>
      {items.length === 0 ? <p>No items yet.</p> : null}
      <ol className="people">
        {items.map((item, index) => (
          <li key={item.id}>
            <span>
              {index + 1}. {item.text}{' '}
              <span className="people-mail">
                {ITEM_NAMES[item.kind]}
                {item.kind === 'scale' ? `, ${item.anchors.length} steps` : ''}
                {item.weight === 1 || item.kind === 'text' ? '' : `, weight ${item.weight}`}
              </span>
            </span>
            {mayEdit ? (
              <Form method="post" action={itemOf(item.id)} preventScrollReset className="row-actions">
                <input type="hidden" name="lock_version" value={lock_version} />
                <Link to={itemOf(item.id)}>
                  Edit<span className="hidden-words"> {item.text}</span>
                </Link>
                {index > 0 ? <Do way="up" word="Up" what={item.text} /> : null}
                {index < items.length - 1 ? <Do way="down" word="Down" what={item.text} /> : null}
                <Do way="remove" word="Delete" what={item.text} />
              </Form>
            ) : null}
          </li>
        ))}
      </ol>
      {mayEdit ? (
        <div className="row-actions">
          {ITEM_KINDS.map((kind) => (
            <ButtonLink key={kind} to={itemOf(kind)} variant="soft">
              Add: {ITEM_NAMES[kind].toLowerCase()}
            </ButtonLink>
          ))}
        </div>
      ) : null}
    </section>
  )
}

function Do({ way, word, what }: { way: 'up' | 'down' | 'remove'; word: string; what: string }) {
  return (
    <Button
      type="submit"
      variant="ghost"
      name="way"
      value={way}
      {...(way === 'remove' ? { color: 'red' as const } : {})}
    >
      {word}
      <span className="hidden-words"> {what}</span>
    </Button>
  )
}
