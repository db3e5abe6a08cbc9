"""Who answers: two services, each an orchestrator and three specialised agents."""

from dataclasses import dataclass
from enum import Enum

from sample_traces.agent.tools import Tool, look_up_tool, search_tool, ticket_tool

ORCHESTRATOR = "orchestrator"
MODEL = "scripted-1"


class CitationStyle(Enum):
    """How an agent writes its citations."""

    BRACKETS = "[1, 2]"
    CORNERS = "【1】【2】"
    IDS = "[trv-01][trv-02]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One model with its instructions and what it can choose from."""

    name: str
    description: str
    """What the orchestrator is told about it."""
    instructions: str
    tools: tuple[Tool, ...] = ()
    hands_over_to: tuple[str, ...] = ()
    citations: CitationStyle = CitationStyle.BRACKETS
    keeps_results: bool = False
    """Its messages still carry the tool results of earlier turns."""

    def tool(self, name: str) -> Tool:
        """Return the tool of that name."""
        return next(tool for tool in self.tools if tool.name == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """One deployed assistant."""

    name: str
    version: str
    agents: tuple[Agent, ...]
    retrieved: int
    """How many passages a search returns."""
    in_prompt: int
    """How many of them are put into the prompt."""
    reranks: bool
    one_prompt: bool
    """The last model call gets question and sources in one message, not as tool results."""
    unrecorded: tuple[str, ...] = ()
    """Collections that are searched by a library that is not instrumented."""

    def agent(self, name: str) -> Agent:
        """Return the agent of that name."""
        return next(agent for agent in self.agents if agent.name == name)


def transfer_tool(agent: Agent) -> Tool:
    """Return the tool with which control is passed to *agent*."""
    return Tool(
        name=f"transfer_to_{agent.name}",
        description=f"Hand over to {agent.name}: {agent.description}",
        parameters={"type": "object", "properties": {}},
    )


_CITE_NUMBERS = (
    "Answer in the language of the question and only from the numbered sources. "
    "Cite them like [1]. Say so when they do not hold the answer."
)
_TICKET = "Open a ticket for a person of the service team."

_MANUALS = Agent(
    name="manuals_agent",
    description="servicing, adjustment and faults of the machines, from the service manuals",
    instructions=f"You help technicians with the service manuals. {_CITE_NUMBERS}",
    tools=(
        search_tool(
            "search_manual",
            "Search the service manual of one machine.",
            ("manual-rx-200", "manual-rx-300"),
        ),
    ),
    hands_over_to=("parts_agent",),
)
_PARTS = Agent(
    name="parts_agent",
    description="part numbers, stock, returns and warranty of spare parts",
    instructions=(
        "You help customers to find spare parts. Answer in the language of the question and only "
        "from the sources. Cite them like 【1】."
    ),
    tools=(
        search_tool("search_parts", "Search the spare parts catalogue.", ("spare-parts",)),
        look_up_tool(
            "get_stock", "How many of a part are in stock.", "stock", "part_number", "SP-[0-9]{4}"
        ),
    ),
    citations=CitationStyle.CORNERS,
    keeps_results=True,
)
_ORDERS = Agent(
    name="orders_agent",
    description="status, delivery and customers of orders, and tickets about them",
    instructions=(
        "You answer questions about orders from the order system. Answer in the language of the "
        "question. Say so when the order system cannot be reached."
    ),
    tools=(
        look_up_tool(
            "get_order",
            "Status, dates, items and delivery address of one order.",
            "orders",
            "order_id",
            "[0-9]{4}",
        ),
        look_up_tool(
            "get_customer",
            "Name, registered address and contract of one customer.",
            "customers",
            "customer_id",
            "C-[0-9]{3}",
        ),
        ticket_tool("create_ticket", _TICKET, "order_id"),
    ),
)
_HR = Agent(
    name="hr_agent",
    description="leave, sickness, working time and other rules for employees",
    instructions=f"You answer questions about the rules for employees. {_CITE_NUMBERS}",
    tools=(
        search_tool(
            "search_policies",
            "Search the rules for the employees of one country: Germany (de) or Austria (at).",
            ("policies-at", "policies-de"),
        ),
        look_up_tool(
            "get_leave_balance",
            "Days of leave that an employee has left.",
            "leave",
            "employee_id",
            "E-[0-9]{3}",
        ),
        ticket_tool("open_it_ticket", "Open a ticket with the IT help desk.", "employee_id"),
    ),
)
_IT = Agent(
    name="it_agent",
    description="devices, software, accounts and network",
    instructions=f"You answer questions about IT. {_CITE_NUMBERS}",
    tools=(
        search_tool("search_it", "Search the IT handbook.", ("it-handbook",)),
        ticket_tool("open_it_ticket", "Open a ticket with the IT help desk.", "employee_id"),
    ),
)
_TRAVEL = Agent(
    name="travel_agent",
    description="business trips: bookings, expenses and allowances",
    instructions=(
        "You answer questions about business trips. Answer in the language of the question and "
        "only from the sources. Cite them by their id, like [trv-01]."
    ),
    tools=(
        search_tool("search_travel", "Search the travel rules.", ("travel-rules",)),
        look_up_tool(
            "get_booking",
            "Dates, route and hotel of one booking.",
            "bookings",
            "booking_id",
            "B-.*",
        ),
    ),
    citations=CitationStyle.IDS,
)


def orchestrator(*agents: Agent) -> Agent:
    """Return the agent in front, which hands every question over to one of *agents*."""
    return Agent(
        name=ORCHESTRATOR,
        description="decides who answers",
        instructions="Hand every question over to the agent that can answer it. Answer small talk.",
        hands_over_to=tuple(agent.name for agent in agents),
    )


SERVICES = (
    Service(
        name="service-desk",
        version="2.4.1",
        agents=(orchestrator(_MANUALS, _PARTS, _ORDERS), _MANUALS, _PARTS, _ORDERS),
        retrieved=4,
        in_prompt=4,
        reranks=False,
        one_prompt=False,
        unrecorded=("spare-parts",),
    ),
    Service(
        name="people-desk",
        version="1.9.0",
        agents=(orchestrator(_HR, _IT, _TRAVEL), _HR, _IT, _TRAVEL),
        retrieved=10,
        in_prompt=5,
        reranks=True,
        one_prompt=True,
    ),
)
"""In the order in which their traces are written."""
