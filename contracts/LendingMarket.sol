// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Owned} from "./Owned.sol";
import {Token20} from "./Token20.sol";

/// What a lender holds: one for one, without interest. Knows EIP-2612 permits.
contract MarketReceipt is Token20 {
    address public immutable market;
    mapping(address => uint256) public nonces;

    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant DOMAIN = keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        _describe(name_, symbol_, decimals_);
        market = msg.sender;
    }

    modifier onlyMarket() {
        require(msg.sender == market, "MarketReceipt: only the market");
        _;
    }

    function mint(address to, uint256 value) external onlyMarket {
        _mint(to, value);
    }

    function burn(address from, uint256 value) external onlyMarket {
        _burn(from, value);
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN, keccak256(bytes(name)), block.chainid, address(this)));
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(block.timestamp <= deadline, "MarketReceipt: too late");
        bytes32 words = keccak256(abi.encode(PERMIT, owner, spender, value, nonces[owner]++, deadline));
        address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), words)), v, r, s);
        require(signer != address(0) && signer == owner, "MarketReceipt: wrong signature");
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }
}

/// A money market as small as one can be that behaves outwardly like Aave v2: its calls, its events, a receipt token for
/// each reserve. No interest; prices are set by the owner.
contract LendingMarket is Owned {
    mapping(address => MarketReceipt) public receipts;
    mapping(address => uint256) public price;
    mapping(address => mapping(address => uint256)) public debt;
    address[] public reserves;

    /// Collateral counts for four fifths; a liquidator gets a twentieth more than he pays for.
    uint256 private constant THRESHOLD_PERCENT = 80;
    uint256 private constant BONUS_PERCENT = 105;

    event Deposit(
        address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referral
    );
    event Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount);
    event Borrow(
        address indexed reserve,
        address user,
        address indexed onBehalfOf,
        uint256 amount,
        uint256 borrowRateMode,
        uint256 borrowRate,
        uint16 indexed referral
    );
    event Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount);
    event LiquidationCall(
        address indexed collateralAsset,
        address indexed debtAsset,
        address indexed user,
        uint256 debtToCover,
        uint256 liquidatedCollateralAmount,
        address liquidator,
        bool receiveAToken
    );

    /// `value`: dollars of 18 decimals for one base unit, times 1e18.
    function addReserve(Token20 asset, uint256 value, string calldata name, string calldata symbol) external onlyOwner {
        receipts[address(asset)] = new MarketReceipt(name, symbol, asset.decimals());
        reserves.push(address(asset));
        price[address(asset)] = value;
    }

    function setPrice(address asset, uint256 value) external onlyOwner {
        price[asset] = value;
    }

    function deposit(address asset, uint256 amount, address onBehalfOf, uint16 referral) external {
        require(Token20(asset).transferFrom(msg.sender, address(this), amount), "LendingMarket: not paid");
        receipts[asset].mint(onBehalfOf, amount);
        emit Deposit(asset, msg.sender, onBehalfOf, amount, referral);
    }

    function withdraw(address asset, uint256 amount, address to) external returns (uint256) {
        receipts[asset].burn(msg.sender, amount);
        require(isHealthy(msg.sender), "LendingMarket: the debt would be too high");
        require(Token20(asset).transfer(to, amount), "LendingMarket: not paid");
        emit Withdraw(asset, msg.sender, to, amount);
        return amount;
    }

    function borrow(address asset, uint256 amount, uint256 mode, uint16 referral, address onBehalfOf) external {
        require(onBehalfOf == msg.sender, "LendingMarket: only for oneself");
        debt[asset][msg.sender] += amount;
        require(isHealthy(msg.sender), "LendingMarket: the debt would be too high");
        require(Token20(asset).transfer(msg.sender, amount), "LendingMarket: not paid");
        emit Borrow(asset, msg.sender, onBehalfOf, amount, mode, 0, referral);
    }

    function repay(address asset, uint256 amount, uint256, address onBehalfOf) external returns (uint256) {
        debt[asset][onBehalfOf] -= amount;
        require(Token20(asset).transferFrom(msg.sender, address(this), amount), "LendingMarket: not paid");
        emit Repay(asset, onBehalfOf, msg.sender, amount);
        return amount;
    }

    function liquidationCall(address collateral, address owed, address user, uint256 amount, bool) external {
        require(!isHealthy(user), "LendingMarket: the debt is covered");
        uint256 taken = (amount * price[owed] * BONUS_PERCENT) / (price[collateral] * 100);
        debt[owed][user] -= amount;
        receipts[collateral].burn(user, taken);
        require(Token20(owed).transferFrom(msg.sender, address(this), amount), "LendingMarket: not paid");
        require(Token20(collateral).transfer(msg.sender, taken), "LendingMarket: not paid");
        emit LiquidationCall(collateral, owed, user, amount, taken, msg.sender, false);
    }

    function isHealthy(address user) public view returns (bool) {
        uint256 held;
        uint256 owed;
        for (uint256 i = 0; i < reserves.length; i++) {
            address asset = reserves[i];
            held += receipts[asset].balanceOf(user) * price[asset];
            owed += debt[asset][user] * price[asset];
        }
        return held * THRESHOLD_PERCENT >= owed * 100;
    }
}
