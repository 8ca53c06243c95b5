/** A stale edit: the version that somebody else saved beside the input, which stays in the form. */
import { useLocation } from '@remix-run/react'
import { Link } from '#app/ui/link.tsx'

type Difference = { label: string; saved: string; typed: string }

/** Compares field by field, named by `labels`. Browsers normalize line ends, and send only ticked checkboxes. */
export const compare = <Name extends string>(
  labels: Record<Name, string>,
  saved: Record<NoInfer<Name>, unknown>,
  typed: Record<string, unknown>,
): Difference[] =>
  Object.entries<string>(labels).map(([name, label]) => {
    const value = saved[name as Name]
    return typeof value === 'boolean'
      ? { label, saved: yesOrNo(value), typed: yesOrNo(typed[name] === 'on') }
      : { label, saved: String(value ?? ''), typed: String(typed[name] ?? '').replaceAll('\r\n', '\n') }
  })

const yesOrNo = (flag: boolean): string => (flag ? 'Yes' : 'No')

export function SavedMeanwhile({ differences }: { differences: readonly Difference[] }) {
  const { pathname } = useLocation()
  const different = differences.filter(({ saved, typed }) => saved.trim() !== typed.trim())
  return (
    <section className="saved-meanwhile" aria-label="What was saved in the meantime">
      {different.length === 0 ? (
        <p>What they saved is the same as what you typed.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Saved now</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {different.map(({ label, saved, typed }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{saved || '–'}</td>
                <td>{typed || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>
        Saving again replaces theirs with yours.{' '}
        <Link to={pathname} reloadDocument>
          Discard yours and keep theirs
        </Link>
      </p>
    </section>
  )
}
