import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'
import { Link } from './link.tsx'

type TodoLinkProps = { to: string; title: ReactNode; hint: ReactNode; go?: string }

/** One line of a list of what there is to do, as a single link. */
export const TodoLink = ({ to, title, hint, go = 'Open' }: TodoLinkProps) => (
  <Link className="todo-item" to={to}>
    <span className="todo-words">
      <span className="todo-title">{title}</span>
      <span className="todo-hint">{hint}</span>
    </span>
    <span className="todo-go">
      {go}
      <Icon name="forward" size={16} />
    </span>
  </Link>
)
