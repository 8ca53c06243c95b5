/** What an assessment asks, in its order. */
import { Button } from '@radix-ui/themes'
import { type Assessment, ITEM_KINDS } from '#app/domain/assessments/assessment.ts'
import { ITEM_NAMES } from '#app/domain/assessments/item-form.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Link } from '#app/ui/link.tsx'
import { useSearchLink } from '#app/ui/list/search.ts'

export function ItemList({ assessment, mayEdit }: { assessment: Assessment; mayEdit: boolean }) {
  const { items, lock_version } = assessment
  const link = useSearchLink()
  const here = { create: null, edit: String(assessment.id) }
  return (
    <section className="stack" aria-labelledby="items">
      <h3 id="items">Items</h3>
      {items.length === 0 ? <p>No questions yet.</p> : null}
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
              <Form method="post" preventScrollReset className="row-actions">
                <input type="hidden" name="lock_version" value={lock_version} />
                <input type="hidden" name="id" value={item.id} />
                <Link to={link({ ...here, item: String(item.id) })} preventScrollReset>
                  Edit<span className="hidden-words"> {item.text}</span>
                </Link>
                {index > 0 ? <Do intent="item-up" word="Up" what={item.text} /> : null}
                {index < items.length - 1 ? <Do intent="item-down" word="Down" what={item.text} /> : null}
                <Do intent="remove-item" word="Delete" what={item.text} />
              </Form>
            ) : null}
          </li>
        ))}
      </ol>
      {mayEdit ? (
        <div className="row-actions">
          {ITEM_KINDS.map((kind) => (
            <ButtonLink key={kind} to={link({ ...here, item: kind })} variant="soft" preventScrollReset>
              Add: {ITEM_NAMES[kind].toLowerCase()}
            </ButtonLink>
          ))}
        </div>
      ) : null}
    </section>
  )
}

function Do({ intent, word, what }: { intent: string; word: string; what: string }) {
  return (
    <Button
      type="submit"
      variant="ghost"
      name="intent"
      value={intent}
      {...(intent === 'remove-item' ? { color: 'red' as const } : {})}
    >
      {word}
      <span className="hidden-words"> {what}</span>
    </Button>
  )
}
