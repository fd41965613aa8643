/** Nodes of a drawn graph that stand out. */

/** Told, by an event that bubbles, when a graph was drawn later than its panel. */
export const drawnEvent = 'graphdrawn';

/** Lets nodes, by their positions in the graph, stand out in a graph panel, and shows the first; null: none. */
export function highlightNodes(panel: HTMLElement, chosen: ReadonlySet<number> | null): void {
  panel.querySelector('.graph')?.classList.toggle('choosing', chosen !== null);
  // Boxes of nodes are drawn in the order of the nodes.
  const boxes = [...panel.querySelectorAll('.graph-node')];
  boxes.forEach((box, node) => {
    box.classList.toggle('chosen', chosen?.has(node) ?? false);
  });
  const first = boxes.find((_, node) => chosen?.has(node));
  const view = first?.closest('.graph-box-outer');
  if (!first || !view) return;
  const [target, around] = [first.getBoundingClientRect(), view.getBoundingClientRect()];
  view.scrollTop += target.top - around.top - 24; // the page itself stays where it is
  view.scrollLeft += target.left + target.width / 2 - around.left - around.width / 2;
}
