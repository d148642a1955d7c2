"""Tables in Markdown, and the bounds that they show as met or missed."""

import statistics


class Report:
    """Collects what is out of bounds while tables are printed."""

    def __init__(self):
        self.broken = []

    def verdict(self, is_met, what):
        if not is_met:
            self.broken.append(what)
        return "met" if is_met else "**missed**"

    def unmeasured(self, what, error):
        """The cell of a row with a bound that could not be measured, which is not a bound met."""
        self.broken.append(f"{what}: not measured: {error}")
        return cell(error)


def cell(error):
    return f"{type(error).__name__.lower()}: {error}".replace("|", "\\|")


def heading(title, *columns):
    print(f"\n## {title}\n")
    row(*columns)
    row(*("---" for _ in columns))


def row(*cells):
    print("| " + " | ".join(str(value) for value in cells) + " |", flush=True)


def note(text):
    print(f"\n{text}", flush=True)


def variance(values):
    """Of a sample, as in the paper; a dot is zero there."""
    value = statistics.variance(values) if len(values) > 1 else 0
    return "·" if value < 0.05 else f"{value:.1f}"


def percent(share):
    """Never rounded up to 100."""
    return f"{int(share * 10) / 10:g}"
