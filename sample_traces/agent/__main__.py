"""Write the sample traces: `python -m sample_traces.agent [FOLDER]`."""

import sys
from pathlib import Path

from sample_traces.agent.generate import generate

if __name__ == "__main__":
    default = Path(__file__).parent.parent
    for path in generate(Path(sys.argv[1]) if len(sys.argv) > 1 else default):
        print(path)
